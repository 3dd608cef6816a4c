CREATE TABLE "database_logins" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"database_id" uuid NOT NULL,
	"username" text NOT NULL,
	"mode" text NOT NULL,
	"reason" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "database_logins" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "database_logins" ADD CONSTRAINT "database_logins_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "database_logins" ADD CONSTRAINT "database_logins_database_id_databases_id_fk" FOREIGN KEY ("database_id") REFERENCES "public"."databases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "database_logins" ADD CONSTRAINT "database_logins_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "database_logins_username_key" ON "database_logins" USING btree ("database_id","username");--> statement-breakpoint
CREATE INDEX "database_logins_created_at_idx" ON "database_logins" USING btree ("organization_id","database_id","created_at");--> statement-breakpoint
CREATE INDEX "database_logins_open_idx" ON "database_logins" USING btree ("database_id") WHERE "database_logins"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "database_logins_created_by_idx" ON "database_logins" USING btree ("created_by");--> statement-breakpoint
CREATE POLICY "tenant" ON "database_logins" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "database_logins" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);