import { modes } from '../../../../ports/mode.ts';

/** A setting that `/config` offers. */
export interface OfferedSetting {
  key: string;
  group: string;
  /** Absent: it is typed. */
  values?: readonly string[];
  /** What follows it at once; absent: sessions that begin from then on. */
  effect?: 'screen' | 'limits';
}

const yesNo = ['true', 'false'] as const;

/** In the order of the list; whatever else there is `larik config` changes. */
export const offeredSettings: readonly OfferedSetting[] = [
  { key: 'model', group: 'model' },
  { key: 'effort', group: 'model', values: ['low', 'medium', 'high', 'xhigh', 'max'] },
  { key: 'mode', group: 'permissions', values: modes },
  { key: 'guard', group: 'permissions', values: ['on', 'off'] },
  { key: 'sandbox.type', group: 'permissions', values: ['auto', 'bubblewrap', 'seatbelt', 'none'] },
  { key: 'sandbox.network', group: 'permissions', values: yesNo },
  { key: 'limits.max_steps', group: 'limits', effect: 'limits' },
  { key: 'limits.budget_usd', group: 'limits', effect: 'limits' },
  { key: 'limits.bash_timeout', group: 'limits', effect: 'limits' },
  { key: 'limits.tool_output_bytes', group: 'limits', effect: 'limits' },
  { key: 'mouse', group: 'screen', values: yesNo, effect: 'screen' },
  { key: 'notifications', group: 'screen', values: yesNo, effect: 'screen' },
  { key: 'checkpoint_retention_days', group: 'files' },
];
