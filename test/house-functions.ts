import { type ESTree, parseSync, Visitor } from 'vite'
import type { Files } from './house-rules.ts'

const linesMax = 70

type Span = { start: number; end: number }

/**
 * Functions of `src` and `web` that are too long to read. SQL and JSX count like other lines. Entries in a table of routes
 * or commands don't count for the function that has the table; their handlers count by themselves.
 */
export function longFunctions(files: Files): string[] {
  return [...files].flatMap(([path, text]) => {
    if (!/^(?:src|web)\/.*\.tsx?$/.test(path) || text.split('\n').length <= linesMax) return []
    const lines = ({ start, end }: Span) => text.slice(start, end).split('\n').length
    const { functions, entries } = spansOf(path, text)
    return functions.flatMap((own) => {
      const inside = entries.filter((entry) => own.start < entry.start && entry.end < own.end)
      const count = lines(own) - outermost(inside).reduce((sum, entry) => sum + lines(entry), 0)
      if (count <= linesMax) return []
      return [
        `${path}:${lines({ start: 0, end: own.start })} has a function of ${count} lines, more than ${linesMax}`,
      ]
    })
  })
}

function spansOf(path: string, text: string): { functions: Span[]; entries: Span[] } {
  const functions: Span[] = []
  const entries: Span[] = []
  const visitor = new Visitor({
    FunctionDeclaration: (node) => void functions.push(node),
    FunctionExpression: (node) => void functions.push(node),
    ArrowFunctionExpression: (node) => void functions.push(node),
    ExpressionStatement: (node) => void (isEntry(node.expression) && entries.push(node)),
  })
  visitor.visit(parseSync(path, text).program)
  return { functions, entries }
}

function outermost(spans: readonly Span[]): Span[] {
  return spans.filter((one) => !spans.some((other) => other.start < one.start && one.end < other.end))
}

const routeMethods = ['get', 'post', 'put', 'patch', 'delete']

/** `app.get(path, options, handler)`, `app.route({ … })` or `program.command(…).option(…).action(handler)`, as a statement. */
function isEntry(expression: ESTree.Expression): boolean {
  const calls = callsOf(expression)
  const names = calls.map(({ name }) => name)
  const handlesPath = calls.some(({ name, count }) => routeMethods.includes(name) && count > 1)
  return handlesPath || names.includes('route') || (names.includes('command') && names.includes('action'))
}

/** The methods that a chain calls, with the counts of their arguments. */
function callsOf(expression: ESTree.Expression): { name: string; count: number }[] {
  if (expression.type === 'AwaitExpression') return callsOf(expression.argument)
  if (expression.type !== 'CallExpression') return []
  const { callee } = expression
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return []
  return [{ name: callee.property.name, count: expression.arguments.length }, ...callsOf(callee.object)]
}
