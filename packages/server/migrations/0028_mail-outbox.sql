CREATE TABLE "mail_outbox" (
	"id" uuid PRIMARY KEY NOT NULL,
	"recipient" text NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"without_smtp" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"outcome" text,
	"last_error" text
);
--> statement-breakpoint
ALTER TABLE "mail_outbox" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ALTER COLUMN "request_headers" SET DATA TYPE json;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ALTER COLUMN "response_headers" SET DATA TYPE json;--> statement-breakpoint
CREATE INDEX "mail_outbox_due_idx" ON "mail_outbox" USING btree ("next_at") WHERE "mail_outbox"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "mail_outbox_ended_at_idx" ON "mail_outbox" USING btree ("ended_at") WHERE "mail_outbox"."ended_at" is not null;--> statement-breakpoint
CREATE POLICY "add" ON "mail_outbox" AS PERMISSIVE FOR INSERT TO "bey_app" WITH CHECK ((select nullif(current_setting('bey.organization_id', true), '')::int) is not null or (select nullif(current_setting('bey.user_id', true), '')::int) is not null);--> statement-breakpoint
CREATE POLICY "system" ON "mail_outbox" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);