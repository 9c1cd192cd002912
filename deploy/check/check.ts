/** A file or folder that is checked. `tool` is the program that `run` needs, if any. */
export type Check = { name: string; tool?: string; run: () => Promise<string> | string }
