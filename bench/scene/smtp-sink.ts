import { createServer, type AddressInfo, type Socket } from 'node:net'

/** An SMTP server that takes every mail and keeps only when the first one to each address arrived. */
export type SmtpSink = { url: string; count: () => number; arrivedAt: Map<string, number>; stop: () => void }

export async function startSmtpSink(): Promise<SmtpSink> {
  let count = 0
  const arrivedAt = new Map<string, number>()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    let rest = ''
    let to = ''
    let isData = false
    const answerTo = (line: string): string | undefined => {
      if (isData) {
        if (line !== '.') return undefined
        isData = false
        count++
        if (!arrivedAt.has(to)) arrivedAt.set(to, performance.now())
        return '250 2.0.0 taken'
      }
      const command = line.slice(0, 4).toUpperCase()
      if (command === 'RCPT') to = /<([^>]*)>/.exec(line)?.[1] ?? ''
      isData = command === 'DATA'
      return isData ? '354 go on' : command === 'QUIT' ? '221 bye' : '250 ok'
    }
    sockets.add(socket)
    socket.setEncoding('utf8').on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (chunk: string) => {
      const lines = `${rest}${chunk}`.split('\r\n')
      rest = lines.pop() ?? ''
      const answers = lines.map(answerTo).filter((answer) => answer !== undefined)
      if (answers.length > 0) socket.write(answers.map((answer) => `${answer}\r\n`).join(''))
    })
    socket.write('220 sink\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: () => count,
    arrivedAt,
    stop: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
