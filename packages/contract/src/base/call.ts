import type { z } from 'zod'
import type { Api, EndpointName } from '../api.ts'

type Input<S> = S extends z.ZodType ? z.input<S> : never
type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined
type Part<E, K extends string> = E extends { [P in K]: infer S } ? S : undefined

type Provide<K extends string, S> = S extends z.ZodType
  ? Record<string, never> extends Input<S>
    ? { [P in K]?: Input<S> }
    : { [P in K]: Input<S> }
  : { [P in K]?: undefined }

type InputTable = {
  [N in EndpointName]: Provide<'params', Part<Api[N], 'params'>> &
    Provide<'query', Part<Api[N], 'query'>> &
    Provide<'body', Part<Api[N], 'body'>>
}

// An interface, through which TypeScript does not look: of an endpoint that is not known, it takes the union of the rows
// and not every combination of their parts, which are millions.
// oxlint-disable-next-line typescript/no-empty-object-type -- the reason is above
interface CallInputs extends InputTable {}

/** What a caller of an endpoint gives. */
export type CallInput<N extends EndpointName> = CallInputs[N]

/** What a caller gets: the parsed reply, or text where the endpoint does not speak JSON. */
export type CallOutput<N extends EndpointName> = Api[N]['response'] extends z.ZodType
  ? z.output<Api[N]['response']>
  : string

/** What a handler of an endpoint gets, parsed. */
export type ParsedInput<N extends EndpointName> = {
  params: Parsed<Part<Api[N], 'params'>>
  query: Parsed<Part<Api[N], 'query'>>
  body: Parsed<Part<Api[N], 'body'>>
}

/** What a handler of an endpoint answers, before it is serialized. */
export type HandlerOutput<N extends EndpointName> = Api[N]['response'] extends z.ZodType
  ? z.input<Api[N]['response']>
  : string
