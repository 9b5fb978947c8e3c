import { describe, expect, it } from 'vitest';
import { unbashParser } from '../../../adapters/shell/unbash-parser.ts';
import { shellParserContract } from '../../../plugins/testing/shell-parser-contract.ts';

shellParserContract('unbash', { describe, it, expect }, unbashParser);
