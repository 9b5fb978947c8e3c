/** One line of the report; `goal` null: only to watch. */
export interface Row {
  name: string;
  goal: number | null;
  unit: 'ms' | 'MB' | 'bytes';
  figure: number;
  detail?: string;
}
