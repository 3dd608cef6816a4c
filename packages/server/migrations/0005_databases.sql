CREATE TABLE "databases" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"engine" text DEFAULT 'postgres' NOT NULL,
	"provider" text NOT NULL,
	"plan" text,
	"status" text NOT NULL,
	"status_since" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"reason" text,
	"version" text,
	"host" text,
	"port" integer,
	"database_name" text NOT NULL,
	"username" text NOT NULL,
	"tls" text NOT NULL,
	"ca_pem" text,
	"credential_secret_id" uuid,
	"credential_version" integer,
	"machine_id" text,
	"dir" text,
	"notes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"figures" jsonb,
	"restarted_at" timestamp (3) with time zone,
	"restart_reason" text,
	"is_protected" boolean DEFAULT false NOT NULL,
	"check_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_run_id" uuid,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"row_version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "databases_provider_is_known" CHECK ("databases"."provider" in ('embedded', 'external'))
);
--> statement-breakpoint
ALTER TABLE "databases" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "databases" ADD CONSTRAINT "databases_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "databases" ADD CONSTRAINT "databases_credential_secret_id_secrets_id_fk" FOREIGN KEY ("credential_secret_id") REFERENCES "public"."secrets"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "databases" ADD CONSTRAINT "databases_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "databases_name_key" ON "databases" USING btree ("organization_id",lower("name")) WHERE "databases"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "databases_created_at_idx" ON "databases" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "databases_check_at_idx" ON "databases" USING btree ("check_at") WHERE "databases"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "databases_credential_secret_id_idx" ON "databases" USING btree ("credential_secret_id");--> statement-breakpoint
CREATE INDEX "databases_created_by_idx" ON "databases" USING btree ("created_by");--> statement-breakpoint
CREATE POLICY "tenant" ON "databases" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "databases" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);