import { type ThingNames, thingsOf } from '@bey/contract'

type Message = { payload: string; names: ThingNames | null }

/**
 * The body of a message as it is signed and sent: with the names of the things in its data and their pages below
 * `baseUrl`, the public address.
 */
export function messageBody({ payload, names }: Message, baseUrl: string): string {
  if (names === null) return payload
  const { data }: { data: object } = JSON.parse(payload)
  return `${payload.slice(0, -1)},"things":${JSON.stringify(thingsOf(data, names, baseUrl))}}`
}
