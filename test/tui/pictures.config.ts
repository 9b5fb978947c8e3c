import { defineConfig } from 'vitest/config';

/** Draws the pictures of `docs/pictures`: they are looked at, no test compares them. */
export default defineConfig({ test: { include: ['test/tui/pictures.ts'], testTimeout: 120_000 } });
