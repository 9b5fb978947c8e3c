import { errorText } from '../../../../plugins/sdk/index.ts';
import { PatternError } from './hits.ts';

const posix: Readonly<Record<string, string>> = {
  alnum: 'a-zA-Z0-9',
  alpha: 'a-zA-Z',
  blank: ' \\t',
  digit: '0-9',
  lower: 'a-z',
  punct: '!-\\/:-@\\[-`{-~',
  space: '\\s',
  upper: 'A-Z',
  word: '\\w',
  xdigit: '0-9a-fA-F',
};

/** ripgrep's dialect as a JavaScript expression, as far as the two say the same. Throws `PatternError`. */
export function patternExpression(pattern: string, ignoreCase: boolean, multiline: boolean): RegExp {
  let source = pattern;
  let flags = multiline ? 'gm' : '';
  if (ignoreCase) flags += 'i';
  const lead = /^\(\?([ims]+)\)/.exec(source);
  if (lead) {
    source = source.slice(lead[0].length);
    for (const flag of lead[1] ?? '') if (!flags.includes(flag)) flags += flag;
  }
  source = source
    .replace(/\(\?P</g, '(?<')
    .replace(/\[:(\w+):\]/g, (whole, name: string) => posix[name] ?? whole)
    .replace(/(?<!\\)((?:\\\\)*)\\z/g, '$1$$')
    .replace(/(?<!\\)((?:\\\\)*)\\A/g, '$1^');
  try {
    return new RegExp(source, `${flags}u`);
  } catch (error) {
    // Without `u`, escapes that mean nothing are the characters themselves, as ripgrep takes many.
    if (/[{}]/.test(pattern) && /quantifier|repeat|incomplete/i.test(errorText(error))) {
      throw new PatternError(reason(error));
    }
    try {
      return new RegExp(source, flags);
    } catch (second) {
      throw new PatternError(reason(second));
    }
  }
}

/** Without the expression, which is not the pattern as it was sent. */
function reason(error: unknown): string {
  return errorText(error).replace(/^Invalid regular expression: .*: /s, '');
}
