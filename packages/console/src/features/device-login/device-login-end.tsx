import { Button, ButtonLink } from '../../ui/button.tsx'

/** How a login by code ended. */
export type EndOfLogin = { status: 'confirmed' | 'refused'; hostName: string } | { status: 'ended' }

export function DeviceLoginEnd({ end, onOtherCode }: { end: EndOfLogin; onOtherCode?: () => void }) {
  return (
    <output className="block">
      <h1 className="text-title font-semibold break-words">{titleOf(end)}</h1>
      <p className="mt-1 break-words text-text-2">{detailOf(end)}</p>
      <div className="mt-6 flex flex-wrap gap-2">
        {onOtherCode ? <Button onClick={onOtherCode}>Enter another code</Button> : null}
        {end.status === 'confirmed' ? <ButtonLink href="/profile">Your sessions</ButtonLink> : null}
        <ButtonLink href="/">Go to the console</ButtonLink>
      </div>
    </output>
  )
}

function titleOf(end: EndOfLogin): string {
  if (end.status === 'ended') return 'This code has ended'
  return end.status === 'confirmed' ? `${end.hostName} may log in` : `${end.hostName} was refused`
}

function detailOf({ status }: EndOfLogin): string {
  switch (status) {
    case 'ended':
      return 'This code has ended. Run bey login again.'
    case 'confirmed':
      return 'Return to the terminal: it goes on by itself. The session is listed in your profile, where you can end it.'
    case 'refused':
      return 'The request has ended, and the program has no access. The audit log has the address that asked.'
  }
}
