import { printTable } from './report.ts'

/** A V8 CPU profile: a tree of calls, and the node that was running at each sample. */
export type CpuProfile = {
  nodes: { id: number; callFrame: CallFrame; children?: number[] }[]
  samples: number[]
  timeDeltas: number[]
}
type CallFrame = { functionName: string; url: string; lineNumber: number }

const linesMax = 40

/** Prints self time by package or file, and total time (callees included) by function, the largest first. */
export function printProfile(profile: CpuProfile, answers: number): void {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]))
  const parents = new Map(
    profile.nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id])),
  )
  const own = new Map<string, number>()
  const whole = new Map<string, number>()
  let busy = 0
  for (const [index, id] of profile.samples.entries()) {
    const micros = profile.timeDeltas[index] as number
    const frame = frameOf(id)
    if (frame.functionName === '(idle)') continue
    busy += micros
    add(own, ownerOf(frame), micros)
    const seen = new Set<string>()
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at))
      seen.add(nameOf(frameOf(at)))
    for (const name of seen) add(whole, name, micros)
  }
  const show = (title: string, found: Map<string, number>) =>
    printTable(
      [title, '%', 'µs'],
      [...found]
        .toSorted((one, other) => other[1] - one[1])
        .slice(0, linesMax)
        .map(([name, micros]) => [name, ((100 * micros) / busy).toFixed(1), (micros / answers).toFixed(1)]),
    )
  show('self time', own)
  show('total time', whole)

  function frameOf(id: number): CallFrame {
    return (nodes.get(id) as CpuProfile['nodes'][number]).callFrame
  }
}

function add(sums: Map<string, number>, name: string, micros: number): void {
  sums.set(name, (sums.get(name) ?? 0) + micros)
}

/** The package, source file or part of Node that a function belongs to. */
function ownerOf({ url, functionName }: CallFrame): string {
  const inPackage = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]
  if (inPackage !== undefined) return inPackage
  if (url.startsWith('file:')) return url.replace(/.*\/src\//, 'src/')
  return url.startsWith('node:') ? url : functionName
}

function nameOf(frame: CallFrame): string {
  const place = frame.url.replace(/.*\/node_modules\//, '').replace(/.*\/src\//, 'src/')
  return `${frame.functionName || '(anonymous)'} ${place}${place === '' ? '' : `:${frame.lineNumber + 1}`}`
}
