import { uuidv7 } from '../../platform/crypto/uuid.ts'
import { sendMail } from '../../platform/mail/smtp.ts'
import { type InstanceParts, type Operator, requireStored } from './operator.ts'
import type { InstanceService } from './service.ts'
import { deleteSetting, writeSetting } from './store.ts'

/** The mail server that is set in the console: changed, removed, tested. */
export function createSmtpChanges(
  { serverSeal, settings }: InstanceParts,
  operator: Operator,
): Pick<InstanceService, 'updateSmtp' | 'removeSmtp' | 'testSmtp'> {
  return {
    async updateSmtp({ password, ...value }, caller) {
      const { source, value: known } = await settings.smtp()
      requireStored(source, 'BEY_SMTP_URL')
      // A stored password is for the server that it was entered for: another one must not receive it.
      const isElsewhere = known !== undefined && (known.host !== value.host || known.user !== value.user)
      const secret =
        password === undefined ? (isElsewhere ? null : undefined) : password === '' ? null : password
      return operator.change(caller, {
        action: 'instance.update_smtp',
        diff: { host: value.host, port: value.port, user: value.user, from: value.from },
        work: (db) => writeSetting(db, serverSeal, 'smtp', { value, secret }),
      })
    },

    async removeSmtp(caller) {
      requireStored((await settings.smtp()).source, 'BEY_SMTP_URL')
      return operator.change(caller, {
        action: 'instance.remove_smtp',
        work: (db) => deleteSetting(db, 'smtp'),
      })
    },

    async testSmtp(caller) {
      await operator.require(caller)
      const mail = await settings.mail()
      if (mail === undefined) return { isSent: false, detail: 'No mail server is set.' }
      const letter = {
        id: uuidv7(),
        recipient: caller.user.email,
        subject: 'Test mail of Bey',
        text: 'This server can send mail.\n',
      }
      try {
        await sendMail(mail, letter)
        return { isSent: true, detail: `A test mail was sent to ${caller.user.email}.` }
      } catch (error) {
        if (!(error instanceof Error)) throw error
        return { isSent: false, detail: error.message.slice(0, 500) }
      }
    },
  }
}
