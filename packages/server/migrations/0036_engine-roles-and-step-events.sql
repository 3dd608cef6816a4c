CREATE TABLE "step_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "step_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"organization_id" integer NOT NULL,
	"run_id" uuid NOT NULL,
	"step_run_id" uuid NOT NULL,
	"event" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "step_events" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "processes" ADD COLUMN "role" text DEFAULT 'all' NOT NULL;--> statement-breakpoint
ALTER TABLE "processes" ADD COLUMN "max_runs" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "step_events" ADD CONSTRAINT "step_events_step_fk" FOREIGN KEY ("organization_id","run_id","step_run_id") REFERENCES "public"."step_runs"("organization_id","run_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "step_events_step_idx" ON "step_events" USING btree ("organization_id","run_id","step_run_id");--> statement-breakpoint
CREATE POLICY "tenant" ON "step_events" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "step_events" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);