/** Lists that views show whole. A merchant may have so many of them that they come in pages. */
const wholeLists = ['/api/v1/wheels', '/api/v1/tokens', '/api/v1/code-pools', '/api/v1/webhooks']

/** Reads an answer; of a list that is shown whole, all pages as one. */
export async function readToEnd<Answer extends object>(
  get: (path: string) => Promise<Answer>,
  path: string,
): Promise<Answer> {
  const answer = await get(path)
  if (!wholeLists.includes(path)) return answer
  for (let next = nextOf(answer); next !== null;) {
    const page = await get(`${path}?cursor=${next}`)
    for (const [name, items] of Object.entries(page))
      if (Array.isArray(items)) (answer as Record<string, unknown[]>)[name]?.push(...items)
    next = nextOf(page)
  }
  return answer
}

function nextOf(page: { next?: string | null }): string | null {
  return page.next ?? null
}
