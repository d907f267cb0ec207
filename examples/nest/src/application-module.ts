import { BeanInspectionModule } from '@jig/bean-inspection/nest';
import { Module } from '@nestjs/common';
import { Orders } from './orders.ts';
import { OrdersController } from './orders-controller.ts';
import { Pricing } from './pricing.ts';

const mailer = { server: 'smtp.example.com', user: 'shop', password: process.env.MAIL_PASSWORD ?? 'secret' };

@Module({
  imports: [BeanInspectionModule.forRoot()],
  controllers: [OrdersController],
  providers: [Pricing, Orders, { provide: 'Mailer', useValue: mailer }],
})
export class ApplicationModule {}
