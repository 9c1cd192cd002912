/** The edits that differ from the values just saved. */
export function without<Values extends object>(edits: Values, saved: Values): Values {
  const isSaved = (name: string) => {
    const key = name as keyof Values
    return key in saved && JSON.stringify(edits[key]) === JSON.stringify(saved[key])
  }
  return Object.fromEntries(Object.entries(edits).filter(([name]) => !isSaved(name))) as Values
}
