CREATE TABLE "applied_savings" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"saving_id" text NOT NULL,
	"kind" text NOT NULL,
	"title" text NOT NULL,
	"text" text NOT NULL,
	"amount" numeric NOT NULL,
	"currency" text NOT NULL,
	"is_direct" boolean NOT NULL,
	"cluster_id" integer NOT NULL,
	"change" jsonb NOT NULL,
	"run_id" uuid,
	"undo_run_id" uuid,
	"error" text,
	"applied_by" integer,
	"applied_at" timestamp (3) with time zone NOT NULL,
	"patched_at" timestamp (3) with time zone,
	"undone_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "applied_savings" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "applied_savings" ADD CONSTRAINT "applied_savings_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "applied_savings" ADD CONSTRAINT "applied_savings_applied_by_users_id_fk" FOREIGN KEY ("applied_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "applied_savings_at_idx" ON "applied_savings" USING btree ("organization_id","applied_at");--> statement-breakpoint
CREATE INDEX "applied_savings_applied_by_idx" ON "applied_savings" USING btree ("applied_by");--> statement-breakpoint
CREATE POLICY "tenant" ON "applied_savings" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "applied_savings" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);