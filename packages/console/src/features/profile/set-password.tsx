import { useMutation } from '@tanstack/react-query'
import { requestPasswordReset } from '../../data/sign-in.ts'
import { errorMessage } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'

/** For anyone who logs in by a provider or a passkey alone: a link by mail sets a password. */
export function SetPassword({ email }: { email: string }) {
  const request = useMutation({ mutationFn: () => requestPasswordReset(email) })
  const error = request.error ? errorMessage(request.error, 'The link could not be requested') : undefined
  return (
    <div className="flex max-w-xl flex-col items-start gap-3">
      <p className="text-text-2">You have no password. A link by mail lets you choose one.</p>
      <div role="alert" className={error ? 'text-danger' : 'hidden'}>
        {error}
      </div>
      <Button busy={request.isPending} onClick={() => request.mutate()}>
        Send link to set a password
      </Button>
      <output className="text-small text-text-2">
        {request.data
          ? request.data.sendsMail
            ? `Sent to ${email}. It works once, for 30 minutes.`
            : 'This server sends no mail: the link is in a file on the server, for its operator.'
          : ''}
      </output>
    </div>
  )
}
