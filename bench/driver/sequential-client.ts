import { type Answer, Connection } from './connection.ts'

/** Sends one request at a time and waits for its answer; used outside the measured turns. */
export class SequentialClient {
  readonly #connection: Connection
  readonly #answers: PromiseWithResolvers<Answer>[]

  static async open(port: number): Promise<SequentialClient> {
    const answers: PromiseWithResolvers<Answer>[] = []
    const connection = await Connection.open(port, {
      onAnswer: (answer) => answers.shift()?.resolve(answer),
      onLoss: (reason) => answers.shift()?.reject(new Error(reason)),
    })
    return new SequentialClient(connection, answers)
  }

  private constructor(connection: Connection, answers: PromiseWithResolvers<Answer>[]) {
    this.#connection = connection
    this.#answers = answers
  }

  async send(request: string): Promise<Record<string, unknown>> {
    const pending = Promise.withResolvers<Answer>()
    this.#answers.push(pending)
    this.#connection.send(request)
    const { status, body } = await pending.promise
    if (status !== 200) throw new Error(`answered ${status}: ${body}`)
    return JSON.parse(body) as Record<string, unknown>
  }

  close(): void {
    this.#connection.close()
  }
}
