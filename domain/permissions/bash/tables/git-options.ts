import type { ProgramOptions } from './option-table.ts';

const showing: ProgramOptions = { harmless: 'text', valued: 'SGUnlO', long: 'output ext-diff textconv' };
const fetching: ProgramOptions = { long: 'upload-pack', form: /^(?:ext|fd)::/ };
const pushing: ProgramOptions = { long: 'receive-pack exec', form: /^(?:ext|fd)::/ };

/** Settings of git that say nothing of programs or files. */
const harmless =
  /^(?:user\.(?:name|email)|color\..*|advice\..*|init\.defaultbranch|pull\.(?:rebase|ff)|push\.(?:default|autosetupremote|followtags)|fetch\.prune|rebase\.(?:autostash|autosquash)|rerere\.enabled|log\.date|merge\.(?:conflictstyle|ff)|diff\.(?:algorithm|renames|colormoved)|core\.(?:autocrlf|eol|safecrlf|filemode|ignorecase|quotepath|abbrev|longpaths)|branch\..*\.(?:merge|rebase|description))$/i;

/** Keys that it would set, unless they are harmless; whatever is not plainly reading counts as setting. */
function configReaches(values: readonly string[]): string[] {
  const reads = values.some((value) => /^(?:--get(?:-\w+)*|--list|-l|get|list)$/.test(value));
  const operands = values.filter((value) => !value.startsWith('-') && value !== 'set');
  const odd = values.filter((value) => /^(?:-e|--edit|edit|-f.*|--file.*|--blob.*)$/.test(value));
  if (odd.length > 0) return odd;
  const key = operands[0] ?? '';
  return reads || operands.length < 2 || harmless.test(key) ? [] : [key];
}

/** Options of git that run code or write; those in front of the subcommand hold for all. */
export const gitOptions: ProgramOptions = {
  short: 'c',
  words: '--config-env --exec-path --git-dir',
  subcommands: {
    before: '-C -c --git-dir --work-tree --namespace --config-env --attr-source --super-prefix',
    by: {
      'diff log show whatchanged reflog stash shortlog range-diff diff-tree diff-index diff-files format-patch':
        showing,
      'blame annotate cat-file': { harmless: 'text', long: 'textconv filters', valued: 'LSC' },
      'fetch pull ls-remote fetch-pack remote': fetching,
      clone: {
        ...fetching,
        short: 'uc',
        valued: 'bjo',
        long: 'upload-pack config template separate-git-dir',
      },
      'push send-pack': { ...pushing, valued: 'o' },
      archive: { short: 'o', long: 'output remote exec', trusting: true },
      grep: { harmless: 'text', short: 'O', valued: 'efABCm', long: 'open-files-in-pager textconv' },
      rebase: { short: 'x', valued: 'sXCS', long: 'exec' },
      'difftool mergetool': { short: 'xt', long: 'extcmd tool' },
      init: { long: 'template separate-git-dir' },
      config: { reaches: configReaches, valued: 'tf' },
      'filter-branch': { form: /^--(?:[\w-]*-filter|setup)/ },
      'send-email': { long: 'smtp-server sendmail-cmd to-cmd cc-cmd header-cmd' },
      'bugreport diagnose': { short: 'o', long: 'output-directory' },
      'interpret-trailers': { long: 'in-place' },
      'fast-export fast-import': { long: 'export-marks' },
    },
  },
};
