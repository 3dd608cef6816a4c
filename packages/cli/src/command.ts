import type { EndpointName } from '@bey/contract'

/** A flag of a command that is made from an endpoint. */
export type Flag = {
  /** As it is typed, without dashes: `sort-by`. */
  name: string
  /** Its name in the contract: `sortBy`. */
  field: string
  in: 'query' | 'body'
  /** `json`: anything that has parts, given as JSON. */
  kind: 'string' | 'integer' | 'number' | 'boolean' | 'json'
  values?: string[]
  /** May be given several times. */
  isList?: true
  isRequired?: true
  /** Kind and bounds in words. */
  help: string
  /** A value that must not be typed on a command line: it is read from a file, standard input or a prompt. */
  isSecret?: true
}

/** A command that is made from an endpoint of the contract. */
export type EndpointCommand = {
  /** What is typed: `clusters list`. */
  words: string
  endpoint: EndpointName
  summary: string
  /** Path parameters in their order: positional arguments. */
  params: string[]
  /** Noun whose list has the things that the first parameter names, so that a name does as well as an id. */
  named?: string
  flags: Flag[]
  /** `json`: the body is no object with fields of its own and comes by `--input` alone. */
  body?: 'object' | 'json'
  /** Property of the reply that holds the rows. */
  list?: string
  /** Fields of a row, or of the reply, that a table shows. */
  columns: string[]
  /** The reply is text and not JSON. */
  isText?: true
  /** Starts work for whose end `--wait` waits: that of a run, or of what the server waits for itself. */
  waits?: 'run' | 'reply'
  /** Asks before it acts. */
  isDestructive?: true
}

/** The commands that are made from endpoints, by the first word that is typed. */
export type CommandTable = {
  nouns: readonly string[]
  /** Empty for a noun that there is not. */
  commandsOf(noun: string): readonly EndpointCommand[]
}
