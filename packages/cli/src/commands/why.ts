import type { Diagnosis } from '@bey/contract'
import { exitCodes } from '../errors.ts'
import { formatOf, printReply } from '../output/print.ts'
import type { Call } from './hand-made.ts'
import { clusterOf, objectOf } from './objects.ts'

/** Why an object is failing: what is wrong, the evidence, and what to do. */
export async function why({ session, args, values }: Call): Promise<number> {
  const { client, terminal, flags, signal } = session
  const { resource, name } = objectOf(args[0], 'bey why deploy/api -n shop')
  const id = await clusterOf(session, values['cluster'])
  const namespace = typeof values['namespace'] === 'string' ? values['namespace'] : 'default'
  const params = { id, resource, namespace, name }
  const reply = await client.call('kubernetes.diagnosis', { params }, { signal })
  // Nothing is wrong with what is not there, either: the read of the object says that it is not.
  if (reply.diagnosis === null) await client.call('kubernetes.object', { params }, { signal })
  if (formatOf(flags) !== 'table') printReply(terminal, reply, flags, { columns: [] })
  else terminal.out(`${reply.diagnosis ? textOf(reply.diagnosis) : `Nothing is wrong with ${name}.`}\n`)
  return exitCodes.ok
}

function textOf({ symptom, since, cause, evidence, remedies, ruledOut }: Diagnosis): string {
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', title, ...lines]
  return [
    since === null ? symptom : `${symptom} (since ${since})`,
    cause ? cause.text : 'No rule explains it; the evidence stands alone.',
    ...section(
      'Evidence',
      evidence.flatMap(({ text, quote }) => [
        `  ${printable(text)}`,
        ...(quote === null ? [] : quote.split('\n').map((line) => `    | ${printable(line)}`)),
      ]),
    ),
    ...section(
      'What to do',
      remedies.flatMap(({ text, command }, index) => [
        `  ${index + 1}. ${text}`,
        ...(command === null ? [] : [`     ${command}`]),
      ]),
    ),
    ...section(
      'Ruled out',
      ruledOut.map((text) => `  ${text}`),
    ),
  ].join('\n')
}

/** Terminals obey control characters, and logs are written by others. */
function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what is taken out
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, ' ')
}
