// Run as a process of its own: sets models."p/N".context_window for `count` numbers from `first` on.
import { setSetting } from '../../../../adapters/settings/writing/set-setting.ts';
import { takeFileLock } from '../../../../adapters/system/file-lock.ts';

const [file = '', first = '', count = ''] = process.argv.slice(2);
for (let n = Number(first); n < Number(first) + Number(count); n += 1) {
  await setSetting(file, ['models', `p/${n}`, 'context_window'], n + 1, takeFileLock);
}
