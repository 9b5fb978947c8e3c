// The layer rules of ARCHITECTURE.md ("Who may import whom"), as checks that fail the build.
const sdkOf = (pkg, name, path) => ({
  name,
  comment: `The vendor SDK ${pkg} is known under one path only, and loaded when first used.`,
  severity: 'error',
  from: { pathNot: path },
  to: { path: `^node_modules/${pkg}(/|$)` },
});

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'ports-import-nothing',
      severity: 'error',
      from: { path: '^ports/' },
      to: { pathNot: '^ports/' },
    },
    {
      name: 'domain-pure',
      comment: 'domain depends on ports and itself: no packages, no node:',
      severity: 'error',
      from: { path: '^domain/' },
      to: { pathNot: '^(domain|ports)/' },
    },
    {
      name: 'domain-text-pure',
      comment: 'domain/text is imported from everywhere and knows nothing but itself',
      severity: 'error',
      from: { path: '^domain/text/' },
      to: { pathNot: '^domain/text/' },
    },
    {
      name: 'adapters-see-ports-and-text-only',
      severity: 'error',
      from: { path: '^adapters/' },
      to: { path: '^(domain/(?!text/)|apps/|plugins/(?!sdk/))' },
    },
    {
      name: 'adapters-apart',
      comment: 'Adapters of one area do not know those of another.',
      severity: 'error',
      from: { path: '^adapters/([^/]+)/' },
      to: { path: '^adapters/', pathNot: '^adapters/$1/' },
    },
    {
      name: 'sdk-for-tools-only',
      comment: 'Of the adapters only tools, content, mcp and lsp use the public SDK.',
      severity: 'error',
      from: { path: '^adapters/(?!tools/|content/|mcp/|lsp/)' },
      to: { path: '^plugins/sdk/' },
    },
    {
      name: 'sdk-small',
      severity: 'error',
      from: { path: '^plugins/sdk/' },
      to: { pathNot: '^(ports/|plugins/sdk/|node_modules/zod/)' },
    },
    {
      name: 'testing-kit-small',
      comment: 'vitest comes in as an argument, so the kit has no packages.',
      severity: 'error',
      from: { path: '^plugins/testing/' },
      to: { pathNot: '^(ports/|domain/text/|plugins/(sdk|testing)/)' },
    },
    {
      name: 'container-only-in-apps-and-adapters',
      severity: 'error',
      from: { pathNot: '^(apps|adapters)/' },
      to: { path: '^node_modules/(tsyringe|reflect-metadata)/' },
    },
    sdkOf('@anthropic-ai/sdk', 'anthropic-sdk-one-path', '^adapters/providers/anthropic/'),
    sdkOf('openai', 'openai-sdk-one-path', '^adapters/providers/openai(-compatible)?/'),
    sdkOf('@google/genai', 'gemini-sdk-one-path', '^adapters/providers/gemini/'),
    {
      name: 'sharp-one-path',
      comment: 'The native code for pictures is known under one path only, and loaded when first used.',
      severity: 'error',
      from: { pathNot: '^adapters/images/' },
      to: { path: '^node_modules/sharp(/|$)' },
    },
    {
      name: 'blessed-one-path',
      comment: 'The terminal is taken in one place, and blessed is loaded when the screen starts.',
      severity: 'error',
      from: { pathNot: '^adapters/frontends/blessed/terminal/' },
      to: { path: '^node_modules/(@types/)?blessed(/|$)' },
    },
    {
      name: 'markdown-one-path',
      comment: 'What reads Markdown and colours code is known under one path only.',
      severity: 'error',
      from: { pathNot: '^adapters/frontends/blessed/markdown/' },
      to: { path: '^node_modules/(marked|emphasize|lowlight|highlight\\.js)(/|$)' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.js'],
    },
  },
};
