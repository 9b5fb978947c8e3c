import type { Completes, OptionRow } from '../table.ts';
import { spellings, type CommandGrammar, type Grammar } from './grammar.ts';

const quoted = (text: string): string => `'${text.replaceAll(/[\\']/g, '\\$&')}'`;

function offered(completes: Completes): string {
  if (completes === 'folder') return "-a '(__fish_complete_directories)'";
  if (completes === 'file') return '-F';
  if (completes === 'session') return "-a '(__larik_sessions)'";
  return completes.length === 0 ? '' : `-a ${quoted(completes.join(' '))}`;
}

function line(condition: string, ...parts: string[]): string {
  return `complete -c larik -n ${quoted(condition)} ${parts.filter((part) => part !== '').join(' ')}\n`;
}

function optionLine(command: string, { name, short, value, completes, about }: OptionRow): string {
  const takes = value === undefined ? '' : `-x ${offered(completes ?? [])}`;
  const letter = short === undefined ? '' : `-s ${short}`;
  return line(`__larik_in '${command}'`, letter, `-l ${name}`, takes, `-d ${quoted(about)}`);
}

function operandLines({ name, first, second }: CommandGrammar): string {
  if (name === '') return '';
  const here = offered(first);
  const later = second.map(({ word, completes }) =>
    line(`__larik_at '${name}' '${word}'`, offered(completes)),
  );
  return [here === '' ? '' : line(`__larik_at '${name}'`, here), ...later].join('');
}

/** Completion for fish, with what each word does. */
export function fishCompletion({ commands, valued }: Grammar): string {
  const named = commands.filter(({ name }) => name !== '');
  return `# Completion of larik for fish. To have it in every shell:
#   larik completion fish > ~/.config/fish/completions/larik.fish
function __larik_sessions
    larik sessions list 2>/dev/null </dev/null | string match -rg '^([0-9a-z-]+) '
end
function __larik_words
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip = 1
            set skip 0
            continue
        end
        switch $word
            case --
                echo =
                return
            case -p --print
                echo =
                return
            case ${valued.flatMap(spellings).join(' ')}
                set skip 1
            case '-*'
            case '*'
                echo $word
        end
    end
end
function __larik_in
    set -l words (__larik_words)
    test "$words[1]" = "$argv[1]"; or begin
        test "$words[1]" = '='; and test "$argv[1]" = ''
    end
end
function __larik_at
    set -l words (__larik_words)
    test "$words" = "$argv"
end
complete -c larik -f
${named.map(({ name, about }) => line('__larik_at', `-a ${name}`, `-d ${quoted(about)}`)).join('')}${commands
    .map((row) => row.options.map((option) => optionLine(row.name, option)).join('') + operandLines(row))
    .join('')}`;
}
