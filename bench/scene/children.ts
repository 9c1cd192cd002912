import type { ChildProcess } from 'node:child_process'

/** Child processes of the bench, so that `endChildren` can end them however the run ends. */
const children = new Set<ChildProcess>()

export function tracked<Child extends ChildProcess>(child: Child): Child {
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

/** Ends all remaining processes. After a normal run there are none. */
export function endChildren(): void {
  for (const child of children) child.kill('SIGKILL')
}
