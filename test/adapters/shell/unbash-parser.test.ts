import { describe, expect, it } from 'vitest';
import { unbashParser } from '../../../adapters/shell/unbash-parser.ts';
import { testShellParser } from '../../../plugins/testing/contracts/shell-parser-contract.ts';

testShellParser('unbash', { describe, it, expect }, unbashParser);
