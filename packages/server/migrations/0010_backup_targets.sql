CREATE TABLE "backup_targets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"name" text NOT NULL,
	"endpoint" text,
	"region" text NOT NULL,
	"bucket" text NOT NULL,
	"prefix" text NOT NULL,
	"access_key_id" text NOT NULL,
	"secret_sealed" "bytea" NOT NULL,
	"checked_at" timestamp (3) with time zone,
	"check_problem" text,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "backup_targets" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "backup_targets" ADD CONSTRAINT "backup_targets_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "backup_targets" ADD CONSTRAINT "backup_targets_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "backup_targets_name_key" ON "backup_targets" USING btree ("organization_id",lower(name));--> statement-breakpoint
CREATE INDEX "backup_targets_created_by_idx" ON "backup_targets" USING btree ("created_by");--> statement-breakpoint
CREATE POLICY "tenant" ON "backup_targets" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "backup_targets" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);