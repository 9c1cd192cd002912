// An SMTP server by another hand, which a test tells how to answer. Its package is installed by `npm run test:landing`.
import { createRequire } from 'node:module'
import type { AddressInfo, Server, Socket } from 'node:net'
import { join } from 'node:path'
import { defer, type Lifetime, repository } from '../scenes/scene.ts'

type Done = (error?: Error | null) => void
type Session = { envelope: { rcptTo: { address: string }[] } }
type Package = {
  SMTPServer: new (options: object) => {
    server: Server
    connections: Set<{ _socket: Socket }>
    listen: (port: number, host: string, done: () => void) => void
    close: (done: () => void) => void
    on: (event: 'error', listener: () => void) => void
  }
}

/** A reply; or `drop`, a lost connection; or `hang`, no reply at all. Undefined: the mail is taken. */
type Answer = string | undefined
export type SmtpBox = {
  url: string
  /** What was taken. Mail that is answered by `drop` or `hang` after the last dot has arrived. */
  mails: { to: string; messageId: string }[]
  answer: (to: string, at: 'recipient' | 'end') => Answer
}

export async function makeSmtpBox(t: Lifetime): Promise<SmtpBox> {
  const { SMTPServer } = createRequire(join(repository, 'test/smtp-server/package.json'))(
    'smtp-server',
  ) as Package
  const box: SmtpBox = { url: '', mails: [], answer: () => undefined }
  const reply = (answer: Answer, done: Done) => {
    if (answer === 'hang') return
    if (answer === 'drop') for (const one of smtp.connections) one._socket.destroy()
    else if (answer === undefined) done()
    else done(Object.assign(new Error(answer.slice(4)), { responseCode: Number(answer.slice(0, 3)) }))
  }
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo: ({ address }: { address: string }, _session: Session, done: Done) =>
      reply(box.answer(address, 'recipient'), done),
    onData: (stream: NodeJS.ReadableStream, { envelope }: Session, done: Done) => {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const to = envelope.rcptTo[0]?.address ?? ''
        const answer = box.answer(to, 'end')
        const isTaken = answer === undefined || answer === 'drop' || answer === 'hang'
        const messageId = /^Message-ID: <(.+)>/im.exec(Buffer.concat(parts).toString())?.[1] ?? ''
        if (isTaken) box.mails.push({ to, messageId })
        reply(answer, done)
      })
    },
  })
  // Connections of processes that were killed.
  smtp.on('error', () => undefined)
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  defer(t, () => {
    for (const one of smtp.connections) one._socket.destroy()
    return new Promise<void>((resolve) => smtp.close(resolve))
  })
  box.url = `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`
  return box
}
