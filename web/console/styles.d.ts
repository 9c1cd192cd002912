declare module '*.css'

interface ImportMeta {
  /** The files that match, by their paths. Vite replaces the call when it builds the console. */
  glob: (
    pattern: string,
    options: { query: '?raw'; import: 'default'; eager: true },
  ) => Record<string, string>
}
