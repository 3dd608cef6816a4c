ALTER TABLE "workflow_triggers" ADD CONSTRAINT "workflow_triggers_organization_id_id_key" UNIQUE("organization_id","id");--> statement-breakpoint
CREATE TABLE "trigger_events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"trigger_id" uuid NOT NULL,
	"key" text,
	"payload" jsonb NOT NULL,
	"status" text NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"run_id" uuid,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "trigger_events_key" UNIQUE("trigger_id","key")
);
--> statement-breakpoint
ALTER TABLE "trigger_events" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "trigger_events" ADD CONSTRAINT "trigger_events_trigger_fk" FOREIGN KEY ("organization_id","trigger_id") REFERENCES "public"."workflow_triggers"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "trigger_events_trigger_idx" ON "trigger_events" USING btree ("organization_id","trigger_id","at");--> statement-breakpoint
CREATE INDEX "trigger_events_waiting_idx" ON "trigger_events" USING btree ("at") WHERE "trigger_events"."status" = 'waiting';--> statement-breakpoint
CREATE INDEX "trigger_events_at_idx" ON "trigger_events" USING btree ("at");--> statement-breakpoint
CREATE POLICY "tenant" ON "trigger_events" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "trigger_events" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);
