import { type ESTree, parseSync, Visitor } from 'vite'
import { codeFile, type Files, lineMax, tooLong } from './house-rules.ts'

const linesMax = 70

type Span = { start: number; end: number }

/**
 * Functions of `src` and `web` that are too long to read. SQL and JSX count like other lines. Entries in a table of
 * routes or commands don't count for the function that has the table; their handlers count by themselves.
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

/** `app.get(path, options, handler)`, `app.route({ … })` or `program.command(…).action(handler)`, as a statement. */
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

/** They fit anything. As the first word of a name, such as `serviceToken`, they may mean something. */
const emptyWords = ['util', 'utils', 'helper', 'helpers', 'manager', 'service', 'common']
const metaphors = ['road', 'weather', 'shop', 'notebook', 'alarm', 'turnstile']
// oxfmt-ignore
const shortForms = ['arr', 'btn', 'cfg', 'cnt', 'evt', 'idx', 'msg', 'num', 'obj', 'req', 'res', 'str', 'tmp', 'val']

/** Files, folders and declarations whose names don't say what they are. `isCommon` asks for a property. */
export function emptyNames(files: Files): string[] {
  return [...files].flatMap(([path, text]) => {
    // The examples are shops.
    if (!codeFile.test(path) || path.startsWith('examples/')) return []
    const parts = path.split('/').map((part) => part.replace(/\..*/, ''))
    const isEmptyPart = (part: string) => metaphors.includes(part) || isEmpty(part)
    const declared = [...text.matchAll(declaration)].map(([, name]) => name as string)
    return [...parts.filter(isEmptyPart), ...new Set(declared.filter(isEmpty))].map(
      (name) => `${path}: the name ${name} does not say what it is`,
    )
  })
}

/** The name of a type in a list of imports is followed by a comma or a brace. */
const declaration =
  /^[ \t]*(?:export\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:const|let|function\*?|class|type|interface|enum)\s+(\w+)\b(?!\s*[,}])/gm

function isEmpty(name: string): boolean {
  const words = name
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '-')
    .toLowerCase()
    .split(/[-_]/)
  return (
    words.some((word) => shortForms.includes(word)) ||
    (words[0] !== 'is' && emptyWords.includes(words.at(-1) ?? ''))
  )
}

/** Lines of comments beyond 120 characters. */
export function longComments(files: Files): string[] {
  return [...files].flatMap(([path, text]) => {
    if (path.endsWith('.md') || path === 'sql/schema.sql') return []
    let isInside = false
    return text.split('\n').flatMap((line, index) => {
      isInside ||= /^\s*\{?\/\*/.test(line)
      const isComment = isInside || commentLine.test(line)
      if (line.includes('*/')) isInside = false
      return isComment && tooLong(line)
        ? [`${path}:${index + 1} has ${line.length} characters, more than ${lineMax}`]
        : []
    })
  })
}

/** In TypeScript, SQL, HTML, or a language with number signs; or after code. */
const commentLine = /^\s*(?:\/\/|--|<!--|#)|[\s;,(){}[\]'`]\s*\/\/ \S/
