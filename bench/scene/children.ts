import type { ChildProcess } from 'node:child_process'

/** Processes that were started for the bench and must not outlive it, however it ends. */
const children = new Set<ChildProcess>()

export function ours<Child extends ChildProcess>(child: Child): Child {
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

/** Ends those that are left: after an orderly run there are none. */
export function endChildren(): void {
  for (const child of children) child.kill('SIGKILL')
}
