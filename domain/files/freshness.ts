import type { Freshness } from '../../ports/tool.ts';

/**
 * What one agent has read or written, by content (spec: tools, "Read before write"). Judged by hash
 * alone, so a file that was only touched stays fresh. Paths are compared as given.
 */
export class FreshnessRecord implements Freshness {
  private readonly known: Map<string, string>;
  private news = new Map<string, string>();

  /** `seen`: what a session's entries say, path to hash. */
  constructor(seen: Readonly<Record<string, string>> = {}) {
    this.known = new Map(Object.entries(seen));
  }

  async saw(path: string, hash: string): Promise<void> {
    this.known.set(path, hash);
    this.news.set(path, hash);
  }

  async check(path: string, hash: string): Promise<'fresh' | 'not_read' | 'changed'> {
    const known = this.known.get(path);
    if (known === undefined) return 'not_read';
    return known === hash ? 'fresh' : 'changed';
  }

  /** What was seen since the last call, for the session to keep for a resume; nothing if that is none. */
  drain(): { seen?: Record<string, string> } {
    if (this.news.size === 0) return {};
    const seen = Object.fromEntries(this.news);
    this.news = new Map();
    return { seen };
  }
}
