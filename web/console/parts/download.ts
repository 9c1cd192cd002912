import type { Api } from '../session.tsx'

/** Fetches a file with the session's headers and saves it through the browser. */
export async function download(
  api: Api,
  path: string,
  name: string,
  headers: Record<string, string> = {},
): Promise<void> {
  const response = await api.send(path, { headers })
  saveFile(await response.blob(), name)
}

export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name.replace(/[^\w.-]+/g, '_')
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
