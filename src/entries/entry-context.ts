/** Operations of visitors take the whole context, but only its type. */
export type { Context } from '../context.ts'
