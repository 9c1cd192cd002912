/** An error that the user of the command line can fix. The command line shows its message without a stack trace. */
export class Mistake extends Error {
  override name = 'Mistake'
}
