/** Something that the person at the keyboard can mend. The command line shows its message, without a stack. */
export class Mistake extends Error {
  override name = 'Mistake'
}
