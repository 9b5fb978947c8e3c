import type { PermissionAnswer } from '../../ports/frontend.ts';

/** The permission requests that wait for an answer, by id. */
export class Questions {
  private readonly open = new Map<string, (answer: PermissionAnswer) => void>();

  /** Waits for the answer; null when the signal aborts first: the request has expired. */
  ask(id: string, signal: AbortSignal): Promise<PermissionAnswer | null> {
    if (signal.aborted) return Promise.resolve(null);
    return new Promise((resolve) => {
      const settle = (answer: PermissionAnswer | null): void => {
        this.open.delete(id);
        signal.removeEventListener('abort', expire);
        resolve(answer);
      };
      const expire = (): void => settle(null);
      signal.addEventListener('abort', expire, { once: true });
      this.open.set(id, settle);
    });
  }

  /** False if no request waits under this id; nothing changes then. */
  answer(id: string, answer: PermissionAnswer): boolean {
    const settle = this.open.get(id);
    settle?.(answer);
    return settle !== undefined;
  }
}
