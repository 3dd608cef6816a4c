/** Words within names whose values are never written down. Between two parts stands a hyphen, an underscore or nothing. */
const words = [
  'password',
  'passwd',
  'passphrase',
  'pwd',
  'secret',
  'token',
  'api key',
  'private key',
  'access key',
  'client key',
  'credit card',
  'card number',
  'authorization',
  'cookie',
  'signature',
  'credential',
  'kubeconfig',
]

/** The same, where they are the whole name: other words end in them. */
const wholeNames = ['ca key', 'cvc', 'cvv']

/** Names that hold such a word by accident and are worth seeing. */
const harmless = /^(token|secret)(id|name|count|type)s?$/

/**
 * Any of the words as the source of a regular expression, for names within texts; needs the flag `i`. Ask
 * `isSecretName` about the whole name that was found.
 */
export const secretWord = `(?:${[...words, ...wholeNames].map((word) => word.replace(' ', '[-_]?')).join('|')})`

const secret = new RegExp(
  `${words.map((word) => word.replace(' ', '')).join('|')}|^(?:${wholeNames.map((word) => word.replace(' ', '')).join('|')})$`,
)

/** Whether the value of this field, header, parameter or variable is never written down. `API_KEY`, `x-api-key` and `apiKey` are one. */
export function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replaceAll(/[-_.\s]/g, '')
  return secret.test(plain) && !harmless.test(plain)
}
