import type { CallOutput } from '@bey/contract'
import { CodeBlock } from '../../ui/code-block.tsx'

const makeKey = 'openssl rand -base64 32'
const swap = `BEY_SECRET_KEY=<the new key>
BEY_SECRET_KEY_PREVIOUS=<the old key>`

/** How the person who runs the server changes the root key, and how far that is. */
export function RootKeyGuide({ keys }: { keys: CallOutput<'secrets.keys'> }) {
  const isUnderWay = keys.previousFingerprint !== null
  return (
    <div className="flex max-w-2xl flex-col gap-4">
      <p className={isUnderWay ? 'font-medium' : 'text-text-2'}>
        {isUnderWay
          ? keys.dataKeyWrappedBy === 'previous'
            ? 'A change is under way: this server accepts both keys, and the data key is still to be wrapped anew.'
            : 'A change is under way: the data key is wrapped anew, and this server still accepts both keys. Step 4 ends it.'
          : 'No change is under way.'}
      </p>
      <ol className="flex list-decimal flex-col gap-4 pl-5">
        <li>
          Verify here, make a backup, and make a new key:
          <div className="mt-1.5">
            <CodeBlock text={makeKey} label="Make a key" />
          </div>
        </li>
        <li>
          Only where several servers share the database: restart each with{' '}
          <code>BEY_SECRET_KEY_PREVIOUS</code> set to the new key, so that all accept both.
        </li>
        <li>
          Restart each server with both keys. The first to start wraps the data keys anew. Where the old key
          came from the file <code>secret.key</code>, its text is the old key.
          <div className="mt-1.5">
            <CodeBlock text={swap} label="Set both keys" />
          </div>
        </li>
        <li>
          When all run with the new key, restart without <code>BEY_SECRET_KEY_PREVIOUS</code>, and verify
          again. Keep the old key as long as backups that were made under it.
        </li>
      </ol>
      <p className="text-text-2">
        A server that is started with a wrong key does not start: it names the fingerprint that it needs.
      </p>
    </div>
  )
}
