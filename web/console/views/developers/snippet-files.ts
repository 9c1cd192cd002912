/** Which file holds an example. The files are whole programs, which a test runs. */
export const tasks = ['grant', 'link', 'webhook'] as const
export type Task = (typeof tasks)[number]

export const languages = ['curl', 'node', 'python', 'php', 'java'] as const
export type Language = (typeof languages)[number]

const endings = { curl: 'sh', node: 'mjs', python: 'py', php: 'php', java: 'java' }

export function snippetFile(language: Language, task: Task): string {
  // The class of a Java program has the name of its file.
  const name = language === 'java' ? `${task.charAt(0).toUpperCase()}${task.slice(1)}` : task
  return `${name}.${endings[language]}`
}

/** The files contain this address instead of the server's own. */
const exampleUrl = 'https://wheel.example'

export function withServer(snippet: string, url: string): string {
  return snippet.replaceAll(exampleUrl, url).trimEnd()
}
