/** The edits that differ from the values just saved. */
export function without<Values extends object>(edits: Values, saved: Values): Values {
  const isSaved = (name: string) => {
    const key = name as keyof Values
    return key in saved && isSame(edits[key], saved[key])
  }
  return Object.fromEntries(Object.entries(edits).filter(([name]) => !isSaved(name))) as Values
}

/** A value that a person has edited, and what it was before. */
export type Edit<Value> = { from: Value; to: Value }

/** The edit on top of what somebody else has saved meanwhile. Objects are merged field by field. */
export function merged<Value>({ from, to }: Edit<Value>, saved: Value): Value {
  if (isSame(from, to)) return saved
  if (!isFields(from) || !isFields(to) || !isFields(saved)) return to
  const names = new Set([...Object.keys(to), ...Object.keys(saved)])
  const fields = [...names].map((name) => [name, merged({ from: from[name], to: to[name] }, saved[name])])
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as Value
}

/** Whether both are the same JSON. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
