import { type Answer, Connection } from './connection.ts'

/** A connection that is asked one thing after another, for what comes before and after the measured turns. */
export class Asking {
  readonly #connection: Connection
  readonly #answers: PromiseWithResolvers<Answer>[]

  static async open(port: number): Promise<Asking> {
    const answers: PromiseWithResolvers<Answer>[] = []
    const connection = await Connection.open(port, {
      onAnswer: (answer) => answers.shift()?.resolve(answer),
      onLoss: (reason) => answers.shift()?.reject(new Error(reason)),
    })
    return new Asking(connection, answers)
  }

  private constructor(connection: Connection, answers: PromiseWithResolvers<Answer>[]) {
    this.#connection = connection
    this.#answers = answers
  }

  async ask(request: string): Promise<Record<string, unknown>> {
    const coming = Promise.withResolvers<Answer>()
    this.#answers.push(coming)
    this.#connection.send(request)
    const { status, body } = await coming.promise
    if (status !== 200) throw new Error(`answered ${status}: ${body}`)
    return JSON.parse(body) as Record<string, unknown>
  }

  close(): void {
    this.#connection.close()
  }
}
