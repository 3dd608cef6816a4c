CREATE TABLE "security_groups" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"network_id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"filters_in" boolean NOT NULL,
	"filters_out" boolean NOT NULL,
	"rules" jsonb NOT NULL,
	"targets" jsonb NOT NULL,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"row_version" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "security_groups" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "security_groups" ADD CONSTRAINT "security_groups_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "security_groups" ADD CONSTRAINT "security_groups_network_id_networks_id_fk" FOREIGN KEY ("network_id") REFERENCES "public"."networks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "security_groups" ADD CONSTRAINT "security_groups_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "security_groups_name_key" ON "security_groups" USING btree ("network_id",lower("name"));--> statement-breakpoint
CREATE INDEX "security_groups_organization_id_idx" ON "security_groups" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "security_groups_created_by_idx" ON "security_groups" USING btree ("created_by");--> statement-breakpoint
CREATE POLICY "tenant" ON "security_groups" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "security_groups" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);