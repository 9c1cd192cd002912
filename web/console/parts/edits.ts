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

/**
 * The edit on top of what somebody else has saved meanwhile. Objects are merged field by field, and lists of objects
 * with ids one by one.
 */
export function merged<Value>({ from, to }: Edit<Value>, saved: Value): Value {
  if (isSame(from, to)) return saved
  if (isListed(from) && isListed(to) && isListed(saved)) return mergedLists({ from, to }, saved) as Value
  if (!isFields(from) || !isFields(to) || !isFields(saved)) return to
  const names = new Set([...Object.keys(to), ...Object.keys(saved)])
  const fields = [...names].map((name) => [name, merged({ from: from[name], to: to[name] }, saved[name])])
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as Value
}

type Listed = readonly { id: string }[]

/**
 * What both have added stays, also two with the same id, which the server then names. What one has removed is gone,
 * unless the person has edited it. The order is the person's, if that was changed.
 */
function mergedLists({ from, to }: Edit<Listed>, saved: Listed): Listed {
  const [before, mine, theirs] = [byId(from), byId(to), byId(saved)]
  const isOrdered = !isSame([...before.keys()], [...mine.keys()])
  const first = isOrdered ? to : saved
  const second = isOrdered ? saved : to
  const ids = new Set([...first, ...second].map(({ id }) => id))
  return [...ids].flatMap((id) => {
    const [was, own, other] = [before.get(id), mine.get(id), theirs.get(id)]
    if (own === undefined) return was === undefined && other !== undefined ? [other] : []
    if (other === undefined) return isSame(was, own) ? [] : [own]
    if (was === undefined) return isSame(own, other) ? [own] : [other, own]
    return [merged({ from: was, to: own }, other)]
  })
}

function byId(list: Listed): Map<string, Listed[number]> {
  return new Map(list.map((one) => [one.id, one]))
}

function isListed(value: unknown): value is Listed {
  if (!Array.isArray(value) || !value.every((one) => isFields(one) && typeof one.id === 'string'))
    return false
  return byId(value).size === value.length
}

/** Whether both are the same JSON. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
