/** `870`, `1.2k`, `42k`, `1.5M`. */
export function tokensText(tokens: number): string {
  const scaled = (value: number, unit: string): string => {
    const text = value < 10 ? value.toFixed(1).replace(/\.0$/, '') : String(Math.round(value));
    return `${text}${unit}`;
  };
  if (tokens < 1000) return String(Math.round(tokens));
  // What would be rounded to 1000k is 1M.
  return tokens < 999_500 ? scaled(tokens / 1000, 'k') : scaled(tokens / 1_000_000, 'M');
}

/** `$0.12`; less than a cent keeps two digits that count. */
export function moneyText(usd: number): string {
  if (usd === 0 || usd >= 0.01) return `$${usd.toFixed(2)}`;
  return usd < 0.0001 ? '<$0.0001' : `$${usd.toFixed(4)}`;
}

/** `14 s`, `2 min 5 s`, `1 h 4 min`; of milliseconds. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
