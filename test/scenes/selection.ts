// Which tests run.
/**
 * Which tests run. `npm test` runs the everyday ones. `npm run test:landing` runs only those that a change must pass
 * too before it lands. `npm run test:all` runs every case, in its longest form.
 */
const chosen = process.env.TESTS
export const runsAll = chosen === 'all'
/** The option of a test or suite that runs before a change lands. */
export const onLanding =
  chosen === undefined ? { skip: 'npm run test:landing runs it' } : { only: chosen === 'landing' }
/** Cases that are alike: every third one, every day. */
export function someOf<T>(cases: readonly T[]): readonly T[] {
  return runsAll ? cases : cases.filter((_, index) => index % 3 === 0)
}
