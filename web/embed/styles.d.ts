/** The text of a style sheet. */
declare module '*.css?inline' {
  const css: string
  export default css
}
